// Package wraith is Wraith's flat list of elements, as text and as JSON.
package wraith
