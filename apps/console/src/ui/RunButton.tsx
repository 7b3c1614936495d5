import { Pause, Play, RotateCw } from 'lucide-react'
import { IconButton, type ButtonSize } from './Button.tsx'

const looks = {
  play: { icon: Play, words: 'Start', look: 'text-ok-fg' },
  pause: { icon: Pause, words: 'Pause', look: 'text-warn-fg' },
  restart: { icon: RotateCw, words: 'Restart', look: 'text-info-fg' },
} as const

/** What can be done with something that runs. */
export type RunAction = keyof typeof looks

/** Play, pause or restart something that runs (spec §4). It is named after the thing: "Restart modem-agent". */
export function RunButton({
  action,
  of,
  onClick,
  loading = false,
  disabled = null,
  size = 'medium',
}: {
  action: RunAction
  /** What it runs. */
  of: string
  onClick: () => void
  loading?: boolean
  /** Why it cannot be done now, in words. */
  disabled?: string | null
  size?: ButtonSize
}) {
  const { icon, words, look } = looks[action]
  return (
    <IconButton
      label={`${words} ${of}`}
      icon={icon}
      size={size}
      loading={loading}
      disabled={disabled}
      className={disabled ? '' : look}
      onClick={onClick}
    />
  )
}
