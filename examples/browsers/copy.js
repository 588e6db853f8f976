document.addEventListener("dblclick", () => navigator.clipboard.writeText(document.title));
