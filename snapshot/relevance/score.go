package relevance

import "math"

// The parameters of Okapi BM25 at their usual values.
const (
	k1 = 1.2  // how soon more of the same word stops to help
	b  = 0.75 // how much a long chunk is held against it
)

// score gives each chunk its score and relevance.
func score(cs []*Chunk, query string) {
	df := map[string]int{}
	var terms []string
	for _, w := range split(query) {
		if _, ok := df[w]; !ok {
			df[w] = 0
			terms = append(terms, w)
		}
	}
	counts := make([]map[string]int, len(cs))
	total := 0
	for i, c := range cs {
		counts[i] = map[string]int{}
		total += len(c.words)
		for _, w := range c.words {
			if _, ok := df[w]; ok {
				counts[i][w]++
			}
		}
		for w := range counts[i] {
			df[w]++
		}
	}
	best := 0.0 // of an average chunk with each word once
	idf := map[string]float64{}
	for _, w := range terms {
		if n := float64(df[w]); n > 0 {
			idf[w] = math.Log(1 + (float64(len(cs))-n+0.5)/(n+0.5))
			best += idf[w]
		}
	}
	if best == 0 {
		return
	}
	average := float64(total) / float64(len(cs))
	for i, c := range cs {
		long := 1 - b + b*float64(len(c.words))/average
		for _, w := range terms {
			if tf := float64(counts[i][w]); tf > 0 {
				c.score += idf[w] * tf * (k1 + 1) / (tf + k1*long)
			}
		}
		c.Relevance = min(1, c.score/best)
	}
}
