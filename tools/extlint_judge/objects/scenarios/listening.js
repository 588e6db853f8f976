// Every event of the API is listened to, before anything happens.
const EVERY = { urls: ["<all_urls>"] };
const REQUEST_OPTIONS = {
  onBeforeRequest: ["requestBody", "blocking"],
  onBeforeSendHeaders: ["requestHeaders", "extraHeaders", "blocking"],
  onSendHeaders: ["requestHeaders", "extraHeaders"],
  onHeadersReceived: ["responseHeaders", "extraHeaders", "blocking"],
  onAuthRequired: ["responseHeaders", "extraHeaders", "blocking"],
  onBeforeRedirect: ["responseHeaders", "extraHeaders"],
  onResponseStarted: ["responseHeaders", "extraHeaders"],
  onCompleted: ["responseHeaders", "extraHeaders"],
  onErrorOccurred: [],
};
const IN_FIREFOX = typeof globalThis.browser?.runtime?.getBrowserInfo === "function";
const optionsOf = (name) => {
  const unknown = IN_FIREFOX ? ["extraHeaders"] : ["blocking"];
  const options = REQUEST_OPTIONS[name].filter((each) => !unknown.includes(each));
  return name === "onAuthRequired" && !IN_FIREFOX ? [...options, "asyncBlocking"] : options;
};

// What the listeners of some events answer.
const ANSWERS = {
  "webRequest.onAuthRequired": ({ url }, respond) => {
    const authCredentials = { username: "judge", password: "judge" };
    const response = url.includes("user") ? { authCredentials } : { cancel: true };
    return respond === undefined ? response : respond(response);
  },
  "webRequest.onHeadersReceived": ({ requestId }) => {
    if (IN_FIREFOX) return api.webRequest.getSecurityInfo(requestId, { certificateChain: true }).then(() => ({}));
  },
  "proxy.onRequest": ({ url }) => {
    const { host } = new URL(url);
    const port = Number(new URL(SETTING.server).port);
    if (host === "proxied.invalid") return { type: "http", host: "127.0.0.1", port };
    return host === "wrong.invalid" ? { type: "wrong" } : { type: "direct" };
  },
  "runtime.onMessage": (message, sender, respond) => {
    respond({ text: "answer" });
  },
  "runtime.onConnect": (port) => port.postMessage("hello"),
  "runtime.onUserScriptMessage": (message, sender, respond) => respond("answer"),
  "omnibox.onInputChanged": (text, suggest) => suggest([{ content: "one", description: "one" }]),
};

const moreFor = (path) => {
  const [namespace, name] = path.split(".");
  if (namespace === "webRequest" && REQUEST_OPTIONS[name]) {
    const options = optionsOf(name);
    return options.length ? [EVERY, options] : [EVERY];
  }
  return path === "proxy.onRequest" ? [EVERY] : [];
};

const listenTo = (object, at, path) => {
  for (const name of Object.keys(object)) {
    let value;
    try {
      value = object[name];
    } catch {
      continue;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value) || path.length > 3) continue;
    const full = [...path, name];
    if (typeof value.addListener === "function") {
      const dotted = full.join(".");
      at[name].addListener(ANSWERS[dotted], ...moreFor(dotted));
    } else {
      listenTo(value, at[name], full);
    }
  }
};

// Settings of the browser, wherever they stand.
const settings = (object, at, depth = 0) =>
  Object.keys(object).flatMap((name) => {
    let value;
    try {
      value = object[name];
    } catch {
      return [];
    }
    if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 3) return [];
    const isOne = typeof value.get === "function" && typeof value.clear === "function" && !value.getBytesInUse;
    return isOne ? [at[name]] : settings(value, at[name], depth + 1);
  });
