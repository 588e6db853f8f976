const judged = (async () => {
  const api = globalThis.browser ?? chrome;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const told = new Set();
  addEventListener("message", (event) => told.add(event.data));
  const put = (tag, attributes) => new Promise((resolve) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.onload = element.onloadedmetadata = () => resolve(true);
    element.onerror = () => resolve(false);
    (document.body ?? document.documentElement).append(element);
    setTimeout(() => resolve(null), 1500);
  });
  const frame = async (name) => {
    put("iframe", { src: api.runtime.getURL(name) });
    // A tab in the background waits a second for each timer, so that their number says nothing.
    for (const end = performance.now() + 1500; performance.now() < end && !told.has(name); ) {
      await wait(50);
    }
    return told.has(name);
  };
  const succeeds = async (run) => {
    try {
      return (await run()) !== false;
    } catch {
      return false;
    }
  };
  const request = (url) => new Promise((resolve) => {
    const made = new XMLHttpRequest();
    made.onload = () => resolve(true);
    made.onerror = () => resolve(false);
    made.open("GET", url);
    made.send();
  });
  const ways = {
    image: (stem) => put("img", { src: api.runtime.getURL(`${stem}.png`) }),
    "style sheet": (stem) => put("link", { rel: "stylesheet", href: api.runtime.getURL(`${stem}.css`) }),
    script: (stem) => put("script", { src: api.runtime.getURL(`${stem}.js`) }),
    module: (stem) => put("script", { type: "module", src: api.runtime.getURL(`${stem}.js`) }),
    frame: (stem) => frame(`${stem}.html`),
    object: (stem) => put("object", { data: api.runtime.getURL(`${stem}.png`) }),
    sound: (stem) => put("audio", { src: api.runtime.getURL(`${stem}.wav`) }),
    "image to which a rule redirects": (stem) => put("img", { src: `${location.origin}/${stem}-rule.png` }),
    "image in markup": (stem) => new Promise((resolve) => {
      const box = document.createElement("div");
      box.innerHTML = `<img src="${api.runtime.getURL(`${stem}.png`)}">`;
      box.firstChild.onload = () => resolve(true);
      box.firstChild.onerror = () => resolve(false);
      document.body.append(box);
    }),
    fetch: (stem) => succeeds(() => fetch(api.runtime.getURL(`${stem}.json`))),
    XMLHttpRequest: (stem) => request(api.runtime.getURL(`${stem}.json`)),
    "import()": (stem) => succeeds(() => import(api.runtime.getURL(`${stem}.js`))),
    "image in a shadow tree": (stem) => new Promise((resolve) => {
      const root = document.createElement("div").attachShadow({ mode: "closed" });
      document.body.append(root.host);
      const image = new Image();
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      root.append(image);
      image.src = api.runtime.getURL(`${stem}.png`);
    }),
    "image that is in no document": (stem) => new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      image.src = api.runtime.getURL(`${stem}.png`);
    }),
  };
  // All at once, for some of what is not loaded is only known by its silence.
  const found = Object.fromEntries(await Promise.all(Object.entries(ways).map(async ([name, load]) => {
    const [listed, elsewhere, unlisted] = await Promise.all(["listed", "elsewhere", "unlisted"].map(load));
    return [name, { listed, elsewhere, unlisted }];
  })));
  for (const stem of ["listed", "elsewhere", "unlisted"]) {
    const box = document.createElement("div");
    box.className = `judge-${stem}`;
    document.body.append(box);
  }
  await wait(500);
  return found;
})();
