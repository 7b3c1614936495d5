import { create } from 'zustand'

export type ThemeChoice = 'system' | 'light' | 'dark'
const key = 'masthead-theme'
const systemDark = matchMedia('(prefers-color-scheme: dark)')

const stored = (): ThemeChoice => {
  const chosen = localStorage.getItem(key)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

const apply = (choice: ThemeChoice) => {
  const dark = choice === 'system' ? systemDark.matches : choice === 'dark'
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}

/** The theme one chose. What is drawn from tokens follows `data-theme` by itself. */
export const useThemeChoice = create<{ choice: ThemeChoice }>(() => ({ choice: stored() }))

export function chooseTheme(choice: ThemeChoice) {
  if (choice === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  useThemeChoice.setState({ choice })
  apply(choice)
}

systemDark.addEventListener('change', () => apply(useThemeChoice.getState().choice))
// Another tab chose.
addEventListener('storage', (event) => {
  if (event.key !== key) return
  useThemeChoice.setState({ choice: stored() })
  apply(stored())
})
