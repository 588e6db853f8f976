const { management } = globalThis.browser ?? chrome;

management.getSelf((self) => {
  document.getElementById("name").textContent = self.name;
});

document.getElementById("leave").addEventListener("click", () => {
  management.uninstallSelf({ showConfirmDialog: true });
});
