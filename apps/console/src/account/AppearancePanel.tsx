import { Panel } from '../ui/Panel.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../kit/theme-choice.ts'

const themes: { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** The theme of the console in this browser. */
export function AppearancePanel() {
  const choice = useThemeChoice((theme) => theme.choice)
  return (
    <Panel title="Appearance">
      <div className="grid gap-3">
        <div>
          <Segmented label="Theme" options={themes} value={choice} onChange={chooseTheme} />
        </div>
        <p className="text-fg-2">Saved in this browser only.</p>
      </div>
    </Panel>
  )
}
