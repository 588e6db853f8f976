// Runs programs and tells what really happened: one JSON request a line, one JSON answer a line.
"use strict";
const vm = require("node:vm");
const MOST_EVENTS = 3000;
const LISTS = new Set(["getAll", "permissions", "hostPermissions", "icons"]);
const SAME_ARRAY = new Set(["filter", "slice", "toSorted", "sort", "reverse", "toReversed"]);

function world(absent) {
  const events = [];
  const tags = new WeakMap();
  const overrides = new Map();
  const errors = [];
  let call = null;
  let key = null;
  const tasks = [];
  const isAbsent = (path) => absent.includes(path.join("."));

  const note = (event) => {
    if (events.length > MOST_EVENTS) throw new Error("too many events");
    events.push(event);
  };

  function api(path) {
    const target = function () {};
    const known = new Map();
    const proxy = new Proxy(target, {
      get(_, name) {
        if (typeof name === "symbol") return name === Symbol.toPrimitive ? () => "api" : undefined;
        if (name === "then") return undefined;
        if (name === "call" || name === "apply" || name === "bind") return Function.prototype[name];
        if (name === "hasOwnProperty") return (each) => !isAbsent([...path, each]);
        const full = [...path, name];
        if (key) { note({ e: "key", kind: key.kind, id: key.id, v: { t: "api", path } }); key = null; }
        if (overrides.has(full.join("."))) return overrides.get(full.join("."));
        if (isAbsent(full)) return undefined;
        if (!known.has(name)) known.set(name, api(full));
        return known.get(name);
      },
      has: (_, name) => !isAbsent([...path, String(name)]),
      set(_, name, value) { overrides.set([...path, String(name)].join("."), value); return true; },
      apply(_, self, passed) {
        if (call) { note({ e: "call", id: call.id, path, v: passed.map((each) => describe(each)) }); call = null; }
        return answer(path, passed);
      },
    });
    tags.set(proxy, { t: "api", path });
    return proxy;
  }

  function answer(path, passed) {
    const isEvent = path[path.length - 1] === "addListener";
    const given = isEvent ? "listener" : "callback";
    const from = isEvent ? path.slice(0, -1) : path;
    for (const each of passed)
      if (typeof each === "function" && !tags.has(each))
        tasks.push(() => each(result(from, given, 0, []), result(from, given, 1, [])));
    const promise = Promise.resolve(result(path, "promise", 0, []));
    tags.set(promise, { t: "result", path, given: "return", index: 0, steps: [] });
    return promise;
  }

  function result(path, given, index, steps) {
    const tag = { t: "result", path, given, index, steps };
    const last = steps.length ? steps[steps.length - 1] : path[path.length - 1];
    if (LISTS.has(last)) {
      const items = [0, 1].map(() => result(path, given, index, [...steps, "[]"]));
      return list(items, tag);
    }
    const known = new Map();
    const proxy = new Proxy({}, {
      get(_, name) {
        if (name === Symbol.toPrimitive) return () => "given";
        if (typeof name === "symbol" || name === "then") return undefined;
        if (key) { note({ e: "key", kind: key.kind, id: key.id, v: tag }); key = null; }
        if (name === "toString" || name === "valueOf" || name === "toJSON") return () => "given";
        if (!known.has(name))
          known.set(name, result(path, given, index, [...steps, /^\d+$/.test(name) ? "[]" : name]));
        return known.get(name);
      },
      set(_, name, value) { known.set(name, value); return true; },
      deleteProperty(_, name) { known.set(name, undefined); return true; },
      defineProperty(_, name, how) { known.set(name, how.value); return true; },
    });
    tags.set(proxy, tag);
    return proxy;
  }

  function list(items, tag) {
    const proxy = new Proxy(items, {
      get(target, name, receiver) {
        if (key && typeof name === "string") {
          note({ e: "key", kind: key.kind, id: key.id, v: tag });
          key = null;
        }
        const found = Reflect.get(target, name, receiver);
        if (!SAME_ARRAY.has(name) || typeof found !== "function") return found;
        return (...passed) => {
          const made = found.apply(target, passed);
          return made === target ? proxy : list(made, tag);
        };
      },
    });
    tags.set(proxy, tag);
    return proxy;
  }

  function describe(value, depth = 0) {
    if (value === null) return { t: "null" };
    if (typeof value === "number") return { t: "number", v: String(value) };
    if (typeof value === "bigint") return { t: "bigint", v: String(value) };
    if (typeof value === "string" || typeof value === "boolean") return { t: typeof value, v: value };
    if (typeof value !== "object" && typeof value !== "function") return { t: typeof value };
    if (tags.has(value)) return tags.get(value);
    if (typeof value === "function")
      return { t: "function", cls: /^class\b/.test(Function.prototype.toString.call(value)) };
    if (depth > 4) return { t: "deep" };
    if (Array.isArray(value)) return { t: "array", items: Array.from(value, (each) => describe(each, depth + 1)) };
    const proto = Object.getPrototypeOf(value);
    const name = proto && proto.constructor ? proto.constructor.name : "Object";
    const plain = !proto || (name === "Object" && Object.getPrototypeOf(proto) === null);
    const fields = {};
    for (const each of Object.keys(value)) {
      const how = Object.getOwnPropertyDescriptor(value, each);
      fields[each] = "value" in how ? describe(how.value, depth + 1) : { t: "deep" };
    }
    return { t: plain ? "object" : "instance", name, global: value === context, fields };
  }

  const context = {
    browser: api([]), chrome: api([]), console: { log() {} },
    setTimeout: (run) => { tasks.push(run); }, queueMicrotask: (run) => { tasks.push(run); },
    __site(id, passed) { call = { id }; note({ e: "site", id }); return passed; },
    __r(id, value) {
      if (call && call.id === id) note({ e: "other", id });
      call = null;
      return value;
    },
    __o(kind, id, value) { note({ e: "key", kind, id, v: describe(value) }); return value; },
    __k(kind, id, name) {
      if (key) note({ e: "lost", kind: key.kind, id: key.id });
      key = { kind, id };
      return name;
    },
    __w(kind, id, value) { note({ e: kind, id, v: describe(value) }); return value; },
    __n(id, name) { note({ e: "reached", id }); return name; },
  };
  context.window = context.self = context;
  vm.createContext(context);
  return { context, events, errors, tasks, done: () => { if (key) note({ e: "lost", kind: key.kind, id: key.id }); } };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
let current = null;
process.on("unhandledRejection", (error) => current && current.errors.push(String(error)));
process.on("uncaughtException", (error) => current && current.errors.push(String(error)));

async function run({ code, absent }) {
  const here = (current = world(absent || []));
  try {
    vm.runInContext(code, here.context, { timeout: 200 });
  } catch (error) {
    here.errors.push(String(error));
  }
  await turn();
  for (let round = 0; round < 50 && here.tasks.length; round++) {
    for (const task of here.tasks.splice(0)) {
      try { task(); } catch (error) { here.errors.push(String(error)); }
      await turn();
    }
  }
  here.done();
  await turn();
  return { events: here.events, errors: here.errors };
}

(async () => {
  for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(await run(JSON.parse(line))) + "\n");
  }
})();
