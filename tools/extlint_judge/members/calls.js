// What is said to calls: "" if a call is taken, the error's text if it is refused, null if there is nothing
// to call. A call is a path and a function that makes the arguments.
function answersTo(root, calls) {
  return calls.map(([path, make]) => {
    const names = path.split(".");
    const last = names.pop();
    try {
      let owner = root;
      for (const name of names) owner = owner?.[name];
      if (typeof owner?.[last] !== "function") return null;
      const arguments_ = make();
      try {
        const result = owner[last](...arguments_);
        if (typeof result?.catch === "function") result.catch(() => {});
        return "";
      } catch (error) {
        return String(error.message || error);
      }
    } catch {
      return null;
    }
  });
}
