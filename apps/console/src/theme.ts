// Runs before the first paint, as a script of its own: the content security policy allows no inline one.
const chosen = localStorage.getItem('masthead-theme')
const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset.theme = dark ? 'dark' : 'light'
