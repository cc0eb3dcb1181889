// @ts-check
// Light or dark: as the system has it, or as it was chosen in this browser.

const KEY = "slip-theme";
const THEMES = ["light", "dark"];
const chosen = () => localStorage.getItem(KEY);

export function startTheme() {
  const theme = chosen();
  if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function choose(theme) {
  if (theme) localStorage.setItem(KEY, theme);
  else localStorage.removeItem(KEY);
  startTheme();
}

/** An action for each theme that is not the present one. */
export const themeActions = () =>
  [
    ["light", "Light theme"],
    ["dark", "Dark theme"],
    [null, "Theme of the system"],
  ]
    .filter(([theme]) => theme !== chosen())
    .map(([theme, title]) => ({
      id: `theme-${theme ?? "system"}`,
      group: "Page",
      title,
      keys: [],
      run: () => choose(theme),
    }));

// Another tab may choose.
addEventListener("storage", (event) => {
  if (event.key === KEY) startTheme();
});
