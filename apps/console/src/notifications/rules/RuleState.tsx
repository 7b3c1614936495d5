import type { Rule } from '@masthead/contract/notifications/rule'
import { firingStates, type FiringState } from '@masthead/contract/notifications/rule-firing'
import { useClock } from '../../kit/clock.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { Shape, Tone } from '../../ui/StateShape.tsx'

/** Whether a rule is silenced just now. */
export const useSilenced = ({ silenced_until }: Rule): boolean =>
  useClock((now) => silenced_until !== null && Date.parse(silenced_until) > now)

/** Whether a rule is on. */
export function RuleState({ rule }: { rule: Rule }) {
  const { enabled, failed_words } = rule
  const silenced = useSilenced(rule)
  const look = !enabled
    ? { tone: 'idle', shape: 'dashed', words: 'Off' }
    : failed_words
      ? { tone: 'bad', shape: 'octagon', words: 'Failing' }
      : silenced
        ? { tone: 'warn', shape: 'half', words: 'Silenced' }
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
  silenced: { tone: 'idle', shape: 'half' },
  called_off: { tone: 'idle', shape: 'cross' },
  undone: { tone: 'idle', shape: 'ring' },
}
export const FiringBadge = ({ state }: { state: FiringState }) => <Badge {...firingLook[state]}>{firingStates[state]}</Badge>
