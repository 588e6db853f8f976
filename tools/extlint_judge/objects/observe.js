// What the API gives and passes: the kinds of values at each place of the objects, and single words, each
// with `=` before it, which may be values of an enumeration.
//
// `api` stands for the API: a call in it never fails, tells what it gives, and waits for it. With the path
// of a function among `withCallbacks` the function is given a callback.
function observing(root, withCallbacks) {
  const WAIT = 6000;
  const MOST_ITEMS = 60;
  const MAX_DEPTH = 8;
  const WORD = /^[A-Za-z][\w-]{0,39}$/;
  const seen = new Map();
  const failed = new Map();

  const kindOf = (value) => {
    if (value === null) return "null";
    if (typeof value !== "object") return Number.isInteger(value) ? "integer" : typeof value;
    if (Array.isArray(value)) return "array";
    return Object.prototype.toString.call(value) === "[object Object]" ? "object" : "instance";
  };
  const note = (places, value, steps) => {
    const place = JSON.stringify(steps);
    if (!places.has(place)) places.set(place, new Set());
    const kind = kindOf(value);
    const kinds = places.get(place);
    kinds.add(kind);
    if (kind === "string" && kinds.size < MOST_ITEMS && WORD.test(value)) kinds.add(`=${value}`);
    if (steps.length >= MAX_DEPTH) return;
    if (kind === "array") value.slice(0, MOST_ITEMS).forEach((each) => note(places, each, [...steps, "[]"]));
    if (kind !== "object") return;
    for (const name of Object.keys(value).slice(0, MOST_ITEMS)) {
      try {
        note(places, value[name], [...steps, name]);
      } catch {
        // What cannot be read is no field.
      }
    }
  };
  const record = (path, given, values) => {
    const key = JSON.stringify([path, given]);
    if (!seen.has(key)) seen.set(key, { most: 0, places: [] });
    const found = seen.get(key);
    found.most = Math.max(found.most, values.length);
    values.forEach((value, index) => {
      found.places[index] ??= new Map();
      note(found.places[index], value, []);
    });
  };
  const late = (path) =>
    new Promise((_, reject) => setTimeout(() => reject(new Error(`${path} gives nothing`)), WAIT));
  const withCallback = (owner, name, path, values) =>
    new Promise((resolve, reject) => {
      owner[name](...values, (...passed) => {
        const error = root.runtime.lastError;
        if (error) return reject(error);
        record(path, "callback", passed);
        resolve(passed[0]);
      });
    });
  const call = async (find, name, path, values) => {
    try {
      const owner = find();
      if (typeof owner?.[name] !== "function") throw new Error("absent");
      if (withCallbacks.includes(path)) {
        return await Promise.race([withCallback(owner, name, path, values), late(path)]);
      }
      const result = owner[name](...values);
      if (typeof result?.then !== "function") {
        record(path, "return", [result]);
        return result;
      }
      const value = await Promise.race([result, late(path)]);
      record(path, "promise", [value]);
      return value;
    } catch (error) {
      failed.set(path, String(error.message || error).slice(0, 200));
      return undefined;
    }
  };
  const listen = (find, path, [answer, ...more]) => {
    try {
      find().addListener((...passed) => {
        record(path, "listener", passed);
        return answer?.(...passed);
      }, ...more);
    } catch (error) {
      failed.set(path, String(error.message || error).slice(0, 200));
    }
  };
  const member = (find, owner, name, path) =>
    new Proxy(() => {}, {
      get(_, next) {
        return next === "then" ? undefined : member(() => find()?.[next], find, next, `${path}.${next}`);
      },
      apply(_, self, values) {
        if (name === "addListener") return listen(owner, path.slice(0, -".addListener".length), values);
        return call(owner, name, path, values);
      },
    });
  const api = new Proxy(
    {},
    { get: (_, name) => member(() => root[name], () => root, name, name) },
  );
  const results = () => ({
    seen: [...seen].map(([key, { most, places }]) => {
      const [path, given] = JSON.parse(key);
      const listed = places.map((each) => [...each].map(([steps, kinds]) => [JSON.parse(steps), [...kinds]]));
      return { path, given, most, places: listed };
    }),
    failed: Object.fromEntries(failed),
  });
  const happened = (path) => [...seen.keys()].some((key) => JSON.parse(key)[0] === path);
  return { api, happened, results };
}
