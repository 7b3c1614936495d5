import type { LucideIcon } from 'lucide-react'

/** What else a question may be answered with, in place of doing it: the kit's "copy as curl". */
export const otherAnswer: { label: string; icon: LucideIcon | null; instead: ((act: () => void) => void) | null } = {
  label: '',
  icon: null,
  instead: null,
}
