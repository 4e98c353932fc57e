const asked = new URLSearchParams(location.search);
if (asked.get("early")) ask(asked.get("vendor"), asked.get("early"));
