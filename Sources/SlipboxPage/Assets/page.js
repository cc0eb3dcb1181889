document.body.textContent = "Slipbox";
