// What there is: the globals, and the members of some of them that not every context has.
function listed() {
  const names = (object) => {
    const found = new Set();
    for (let each = object; each; each = Object.getPrototypeOf(each)) {
      for (const name of Object.getOwnPropertyNames(each)) found.add(name);
    }
    return found;
  };
  const there = [];
  const empty = [];
  const add = (path, read) => {
    let value;
    try {
      value = read();
    } catch {
      value = "there";
    }
    if (value === undefined) return;
    there.push(path);
    if (value === null && !/\bon[a-z]+$/.test(path)) empty.push(path);
  };
  const inherited = [...names(Object.prototype), ...names(EventTarget.prototype)];
  for (const name of [...names(globalThis), ...inherited]) add(name, () => globalThis[name]);
  for (const owner of ["navigator", "crypto", "URL", "performance", "location", "Notification"]) {
    for (const name of names(globalThis[owner])) {
      if (!(name in Object.prototype) && !(name in Function.prototype)) {
        add(`${owner}.${name}`, () => globalThis[owner][name]);
      }
    }
  }
  return { there, empty };
}
