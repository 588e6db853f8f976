// Requests to the service, and its problem documents.

const MAX_TRIES = 5;
const MAX_SECONDS_TO_WAIT = 30;

const INTERRUPTED = "The service closed the connection while the package was sent. It may be too large.";

const RESULT = "result";

let token = sessionStorage.getItem("token");

/** Uses a token for the following requests of this tab. */
export function useToken(value) {
  token = value;
  sessionStorage.setItem("token", value);
}

/** A failed request. Its text is for the user; `status` is 0 if the service did not answer. */
export class Problem extends Error {
  constructor(status, { title, detail, limit } = {}) {
    super(detail ?? title ?? (status === 0 ? "The service does not answer." : `The service answered ${status}.`));
    this.title = detail === undefined || title === undefined ? "The check failed" : title;
    this.limit = limit;
    this.status = status;
  }
}

/** Sends a request and returns the JSON of the response.
 *
 * `onProgress` is called with the part of the body that is sent, from 0 to 1, and then with the number of
 * seconds until the next try if the service is busy. Throws a Problem, or the reason of `signal`.
 */
export async function request(method, address, { body = null, headers = {}, signal, onProgress = () => {} } = {}) {
  for (let tries = 1; ; tries++) {
    const response = await send(method, address, body, headers, signal, onProgress);
    const seconds = Number(response.getResponseHeader("Retry-After") ?? NaN);
    if (response.status === 429 && tries < MAX_TRIES && seconds <= MAX_SECONDS_TO_WAIT) {
      onProgress(1, seconds);
      await pause(seconds, signal);
    } else if (response.status >= 200 && response.status < 300) {
      return JSON.parse(response.responseText);
    } else {
      throw new Problem(response.status, problemIn(response.responseText));
    }
  }
}

/** Returns the response of a service in one format as a Blob. */
export async function requestReport(address, body, headers) {
  const response = await fetch(address, { method: "POST", body, headers: { ...headers, ...authorization() } });
  if (!response.ok) throw new Problem(response.status, problemIn(await response.text()));
  return response.blob();
}

function authorization() {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

function send(method, address, body, headers, signal, onProgress) {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open(method, address);
    for (const [name, value] of Object.entries({ ...headers, ...authorization() })) {
      sent.setRequestHeader(name, value);
    }
    let part = 1;
    if (body !== null) {
      sent.upload.onprogress = ({ loaded, total }) => {
        part = total === 0 ? 1 : loaded / total;
        onProgress(part);
      };
    }
    sent.onload = () => resolve(sent);
    sent.onerror = () => reject(new Problem(0, part < 1 ? { detail: INTERRUPTED } : {}));
    signal?.addEventListener("abort", () => {
      sent.abort();
      reject(signal.reason);
    });
    sent.send(body);
  });
}

function problemIn(text) {
  try {
    const problem = JSON.parse(text);
    return typeof problem === "object" && problem !== null ? problem : {};
  } catch {
    return {};
  }
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Returns the identifier of the kept result in the address of the page, or null. */
export function keptId() {
  return new URLSearchParams(location.search).get(RESULT);
}

/** Returns the address of the page with a kept result, or without one for null. */
export function addressOf(id) {
  const address = new URL(location.pathname, location.href);
  if (id !== null) address.searchParams.set(RESULT, id);
  return address.href;
}
