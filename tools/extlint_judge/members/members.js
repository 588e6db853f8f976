// The members that are in reach of a root: paths with dots, each with its kind. The constants of an
// enumeration are told with it: "enum:LOADING|COMPLETE".
function membersOf(root) {
  const found = {};
  const walk = (object, prefix, depth) => {
    for (const name of namesIn(object)) {
      let value;
      try {
        value = object[name];
      } catch {
        continue;
      }
      const path = prefix ? `${prefix}.${name}` : name;
      found[path] = kindOf(value);
      if (found[path] === "object" && depth < 5) walk(value, path, depth + 1);
    }
  };
  const namesIn = (object) => {
    const names = new Set();
    for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
      if (Object.getPrototypeOf(at) === null && at !== object) break;
      for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name);
    }
    return names;
  };
  const kindOf = (value) => {
    if (typeof value === "function") return "function";
    if (typeof value !== "object") return typeof value === "undefined" ? "undefined" : "value";
    if (value === null || Array.isArray(value)) return "value";
    if (typeof value.addListener === "function") return "event";
    const names = Object.getOwnPropertyNames(value);
    const isEnum = names.length > 0 && names.every((each) => typeof value[each] === "string");
    return isEnum ? `enum:${names.join("|")}` : "object";
  };
  if (typeof root === "object" && root !== null) walk(root, "", 0);
  return found;
}
