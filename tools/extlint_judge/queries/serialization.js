// What a value looks like after it was copied.
const api = globalThis.browser ?? chrome;
const seen = (it) => {
  if (it === null || typeof it !== "object") return String(it);
  const kind = Object.prototype.toString.call(it).slice(8, -1);
  return kind === "Object" ? JSON.stringify(it) : `${kind} ${it.size ?? it.length ?? it.byteLength ?? it}`;
};
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// The frame tells what it receives.
const tellWhatArrives = () => {
  const told = (message) => ("it" in message ? seen(message.it) : "left out");
  api.runtime.onMessage.addListener((message, sender, answer) => answer(told(message)));
  api.runtime.onConnect.addListener((port) => {
    port.onMessage.addListener((message) => port.postMessage(told(message)));
  });
};

const stored = (area) => async (it) => {
  await area.set({ it });
  const found = await area.get("it");
  await area.remove("it");
  return "it" in found ? seen(found.it) : "left out";
};

// Copies values in each way, and returns what they look like. `values` are functions that create them.
const copies = async (values, address) => {
  const tab = await api.tabs.create({ url: address });
  const isLoaded = ({ status, url }) => status === "complete" && url === address;
  while (!isLoaded(await api.tabs.get(tab.id))) await wait(50);
  const target = { tabId: tab.id };
  const port = api.runtime.connect();
  const ways = {
    sendMessage: (it) => api.runtime.sendMessage({ it }),
    postMessage: (it) =>
      new Promise((resolve) => {
        const once = (answer) => {
          port.onMessage.removeListener(once);
          resolve(answer);
        };
        port.onMessage.addListener(once);
        port.postMessage({ it });
      }),
    local: stored(api.storage.local),
    session: stored(api.storage.session),
    sync: stored(api.storage.sync),
    args: async (it) =>
      (await api.scripting.executeScript({ target, func: seen, args: [it] }))[0].result,
  };
  const found = {};
  for (const [name, create] of Object.entries(values)) {
    found[name] = {};
    for (const [way, copy] of Object.entries(ways)) {
      const told = (async () => copy(create()))().catch((error) => `fails: ${error.message}`);
      found[name][way] = await Promise.race([told, wait(2000).then(() => "does not arrive")]);
    }
    try {
      const [{ error, result }] = await api.scripting.executeScript({ target, func: create });
      found[name].result = error ? `fails: ${error.message ?? error}` : seen(result);
    } catch (error) {
      found[name].result = `fails: ${error.message}`;
    }
  }
  return found;
};
