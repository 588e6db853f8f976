const { management, test } = globalThis.browser ?? chrome;

async function inspect(id) {
  console.log(await management.get(id));
}

management.getSelf((self, problem) => {
  console.log(self.name, problem);
});

function leave() {
  management.uninstallSelf({ showConfirmDialog: "yes" });
  management.uninstallSelf({}, inspect, "Goodbye");
}

management.getSlef().then(leave);
test.log("started");

async function installedByHand() {
  const self = await management.getSelf();
  console.log(self.instalType);
  return self.installType === "unpacked";
}

// extlint-disable-next-line unsupported-api, missing-permission -- it is there in all browsers
management.getAll().then(leave);

// extlint-disable-next-line wrong-context -- it was missing once
management.getSelf().then(leave);
