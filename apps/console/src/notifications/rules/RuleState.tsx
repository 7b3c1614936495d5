import type { Rule } from '@masthead/contract/notifications/rule'
import { firingStates, type FiringState } from '@masthead/contract/notifications/rule-firing'
import { Badge } from '../../ui/Badge.tsx'
import type { Shape, Tone } from '../../ui/StateShape.tsx'

/** Whether a rule is on. */
export function RuleState({ rule: { enabled, failed_words } }: { rule: Rule }) {
  const look = !enabled
    ? { tone: 'idle', shape: 'dashed', words: 'Off' }
    : failed_words
      ? { tone: 'bad', shape: 'octagon', words: 'Failing' }
      : { tone: 'ok', shape: 'disc', words: 'On' }
  return (
    <Badge tone={look.tone as Tone} shape={look.shape as Shape}>
      {look.words}
    </Badge>
  )
}

const firingLook: Record<FiringState, { tone: Tone; shape: Shape }> = {
  told: { tone: 'info', shape: 'diamond' },
  waiting: { tone: 'warn', shape: 'half' },
  done: { tone: 'ok', shape: 'done' },
  left: { tone: 'idle', shape: 'dashed' },
  called_off: { tone: 'idle', shape: 'cross' },
  undone: { tone: 'idle', shape: 'ring' },
}
export const FiringBadge = ({ state }: { state: FiringState }) => <Badge {...firingLook[state]}>{firingStates[state]}</Badge>
