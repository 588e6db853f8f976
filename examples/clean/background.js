const api = globalThis.browser ?? chrome;

api.management.getSelf().then((self) => {
  console.log(`${self.name} ${self.version} started`);
});
