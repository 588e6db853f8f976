document.getElementById("show").addEventListener("click", async () => {
  const self = await browser.management.getSelf();
  console.log(self.name;
});
