/** The console's page: one file, nothing loaded, because it must work when everything else does not. */
export const console_page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Asterism console</title>
<style>
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--hot:#c2410c;font:15px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem;margin:0}h2{font-size:1.1rem}header{display:flex;gap:1rem;align-items:center;flex-wrap:wrap;margin-bottom:1rem}
time{font-variant-numeric:tabular-nums}button,select,input{font:inherit;padding:.25rem .6rem}
ol{list-style:none;padding:0}li{border:1px solid var(--line);border-radius:.6rem;padding:.7rem 1rem;margin:.6rem 0}
li p{margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}small{opacity:.7}
code{font-size:1.4rem;letter-spacing:.15em;background:var(--soft);border-radius:.4rem;padding:.1rem .5rem;user-select:all}
.tag{background:var(--soft);border-radius:1rem;padding:0 .6rem;margin-right:.5rem}.moved{color:var(--hot)}
</style></head><body>
<header><h1>Asterism console</h1><time id="clock" aria-label="The service's clock"></time>
<button data-advance="60">+1 min</button><button data-advance="3600">+1 h</button><button data-advance="86400">+1 day</button><button id="reset">Reset</button></header>
<form id="filter"><label>Channel <select name="channel"><option value="">all</option><option>email</option><option>sms</option><option>push</option><option>call</option></select></label>
<label>To <input name="to" autocomplete="off"></label></form>
<section id="phones" hidden><h2>Phones</h2>
<form id="dial"><label>From <input name="from" value="+4930555001" required></label> <label>PIN <input name="digits" inputmode="numeric" pattern="[0-9*#]+" required></label> <button>Dial in</button> <output role="status"></output></form>
<ol id="legs"></ol></section>
<details><summary>Text the service</summary>
<form id="texter"><label>From <input name="from" value="+4930555001" required></label> <label>Text <input name="text" required></label> <button>Send</button> <output role="status"></output></form></details>
<section id="payments" hidden><h2>Payments</h2><ol></ol></section>
<ol id="list" aria-live="polite"></ol>
<script>
const list=document.getElementById('list'),form=document.getElementById('filter'),clock=document.getElementById('clock');
const el=(name,text,cls)=>{const e=document.createElement(name);if(text!==undefined)e.textContent=text;if(cls)e.className=cls;return e};
let seen='';
const phones=document.getElementById('phones'),dial=document.getElementById('dial'),legs=document.getElementById('legs'),told=dial.querySelector('output');
const moves={queued:['ringing','answered','busy','no_answer','failed'],ringing:['answered','busy','no_answer','failed','hung_up'],answered:['hung_up']};
let seen_legs='';
const post=(path,body)=>fetch('/console/phone/'+path,{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(body)}).then(async r=>{const b=await r.json();told.textContent=b.error?[b.error.message,...Object.values(b.error.fields??{})].join(' '):'';return loadLegs()});
async function loadLegs(){
  const {items}=await fetch('/console/phone/legs?limit=10').then(r=>r.json());
  const key=JSON.stringify(items);if(key===seen_legs)return;seen_legs=key;
  legs.replaceChildren(...items.map(leg=>{const li=el('li');
    li.append(el('span',leg.state,'tag'),el('b',leg.number+' '),el('small',leg.name+' '+leg.created_at));
    if(leg.sound)li.append(el('p','plays '+leg.sound.tone_hz+' Hz, hears '+(leg.sound.hears_dbov===null?'nothing':leg.sound.hears_dbov+' dB')));
    const row=el('p');
    for(const state of moves[leg.state]??[]){const b=el('button',state.replace('_',' '));b.onclick=()=>post('legs/'+leg.leg_id,{state});row.append(b,' ')}
    if(leg.state==='answered'){const b=el('button','keys…');b.onclick=()=>{const digits=prompt('Keys');if(digits)post('legs/'+leg.leg_id,{state:'answered',digits})};row.append(b)}
    if(row.childNodes.length)li.append(row);return li}));
  phones.hidden=false;
}
dial.onsubmit=e=>{e.preventDefault();post('calls',Object.fromEntries(new FormData(dial)))};
const texter=document.getElementById('texter');
texter.onsubmit=e=>{e.preventDefault();const told=texter.querySelector('output');
  fetch('/console/sms',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(Object.fromEntries(new FormData(texter)))}).then(async r=>{const b=await r.json();
    told.textContent=b.error?[b.error.message,...Object.values(b.error.fields??{})].join(' '):b.delivered?'It is in an inbox.':'Nobody had that number texted lately: dropped.'})};
const payments=document.getElementById('payments');let seen_payments='';
async function loadPayments(){
  const {items}=await fetch('/console/payments').then(r=>r.json());
  const key=JSON.stringify(items);if(key===seen_payments)return;seen_payments=key;
  payments.hidden=!items.length;
  payments.querySelector('ol').replaceChildren(...items.map(one=>{const li=el('li');li.id=one.session_id;
    li.append(el('span',one.state,'tag'),el('b','@'+one.username+' '),el('small',one.created_at));
    if(one.state==='open'){const row=el('p');for(const outcome of ['paid','cancelled']){const b=el('button',outcome==='paid'?'Pay':'Cancel');
      b.onclick=()=>fetch('/console/payments/'+one.session_id,{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({outcome})}).then(loadPayments);row.append(b,' ')}li.append(row)}
    return li}));
  if(location.hash.length>1)document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
async function load(){
  const q=new URLSearchParams([...new FormData(form)].filter(([,v])=>v));
  const [out,time]=await Promise.all([fetch('/console/outbox?'+q).then(r=>r.json()),fetch('/console/clock').then(r=>r.json())]);
  clock.textContent=time.now.replace('T',' ').slice(0,19)+' UTC';
  clock.className=Math.abs(time.offset_s)>1?'moved':'';
  const key=JSON.stringify(out);if(key===seen)return;seen=key;
  list.replaceChildren(...out.items.map(m=>{const li=el('li');const head=el('div');head.append(el('span',m.channel,'tag'),el('b',m.to+' '),el('small',m.at));li.append(head);
    if(m.subject)li.append(el('p',m.subject));if(m.code)li.append(el('code',m.code));li.append(el('p',m.text));
    for(const l of m.links){const a=el('a',l);a.href=l;li.append(a)}return li}));
  if(!out.items.length)list.append(el('li','Nothing was sent yet. Register at /app and look again.'));
}
const move=b=>fetch('/console/clock',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(b)}).then(load);
document.querySelectorAll('[data-advance]').forEach(b=>b.onclick=()=>move({advance_s:Number(b.dataset.advance)}));
document.getElementById('reset').onclick=()=>move({reset:true});
form.oninput=load;form.onsubmit=e=>e.preventDefault();load();loadLegs();loadPayments();setInterval(()=>{load();loadLegs();loadPayments()},1500);
</script></body></html>`;
