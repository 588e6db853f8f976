// Sends messages from each context of an extension, once all of them are there. Before it: `me`, `listening`,
// `page` and `post`.
const api = globalThis.browser ?? chrome;
const told = (promise) => promise.then((it) => `gets ${it}`, (error) => `fails: ${error.message}`);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
if (me === listening) {
  api.runtime.onMessage.addListener((message, sender, answer) => { answer("heard"); });
  api.runtime.onConnect.addListener((port) => { port.postMessage("heard"); });
}

const heardBy = (port) => new Promise((resolve) => {
  port.onMessage.addListener((it) => resolve(`gets ${it}`));
  port.onDisconnect.addListener(() => {
    resolve(`fails: ${(chrome.runtime.lastError ?? port.error)?.message}`);
  });
});

async function send() {
  const { tabs } = await api.storage.local.get("tabs");
  const found = { "runtime.sendMessage": await told(api.runtime.sendMessage("asks")) };
  found["runtime.connect"] = await heardBy(api.runtime.connect());
  for (const [name, tab] of Object.entries(api.tabs ? tabs : {})) {
    found[`tabs.sendMessage to ${name}`] = await told(api.tabs.sendMessage(tab, "asks"));
    found[`tabs.connect to ${name}`] = await heardBy(api.tabs.connect(tab));
  }
  await post(found);
}

async function open() {
  const names = { content: page, page: api.runtime.getURL("page.html") };
  const tabs = {};
  for (const [name, url] of Object.entries(names)) tabs[name] = (await api.tabs.create({ url })).id;
  for (let tries = 0; tries < 100; tries++) {
    const opened = await api.storage.local.get(["content", "page"]);
    if (opened.content && opened.page) break;
    await wait(50);
  }
  await api.storage.local.set({ tabs });
  await send();
}

async function follow() {
  await api.storage.local.set({ [me]: true });
  while (!(await api.storage.local.get("tabs")).tabs) await wait(50);
  await send();
}

if (me === "background") open(); else follow();
