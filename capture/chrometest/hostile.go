package chrometest

// Hostile are pages that never let anybody else have their main thread, by name. Each is
// quiet until its load event is over.
func Hostile() map[string]string {
	late := func(script string) string {
		return `<!doctype html><title>hostile</title><button>b</button><div id=d></div>` +
			`<script>onload=()=>setTimeout(()=>{` + script + `},0)</script>`
	}
	return map[string]string{
		"endless loop":    late(`while(true){}`),
		"pushState storm": late(`for(let i=0;;i++)history.pushState({i},'','?'+i)`),
		"alert loop":      late(`for(;;)alert('again')`),
		"slow answers":    late(`setInterval(()=>{const t=performance.now();while(performance.now()-t<700){}},0)`),
		"DOM storm": late(`(function storm(){const t=performance.now();while(performance.now()-t<200){
			const b=document.createElement('button');b.textContent=Math.random();d.prepend(b);
			if(d.childNodes.length>3000)d.lastChild.remove()}setTimeout(storm,0)})()`),
		"navigation storm": late(`location.replace('?'+Math.random())`),
		"CSS bomb": late(`d.innerHTML='<i class=a><b class=b><u>x</u></b></i>'.repeat(60000);
			const s=document.createElement('style');
			for(let i=1;i<400;i++)s.textContent+=':is(.a,.b):nth-last-child('+i+'n of :not(.q'+i+' *))` +
			`:has(u){margin-left:'+i+'px}';
			document.head.append(s)`),
	}
}
