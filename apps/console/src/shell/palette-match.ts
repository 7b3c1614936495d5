import type { LucideIcon } from 'lucide-react'

/** Something the command palette can do. */
export type Command = {
  id: string
  group: 'Assets' | 'Screens' | 'Actions'
  label: string
  /** Where it belongs, or what else it is known by. */
  note?: string | undefined
  icon?: LucideIcon | undefined
  run: () => void
}

/** The commands with every word of what is wanted in their label or note, whatever the case. */
export function matchCommands(commands: readonly Command[], wanted: string): Command[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ label, note = '' }) => words.every((word) => `${label} ${note}`.toLowerCase().includes(word)))
}
