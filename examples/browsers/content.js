document.querySelector("img").src = chrome.runtime.getURL("badge.svg");
