import type { DisconnectOutcome } from '@masthead/contract/assets/sim'
import { StateShape } from '../../ui/StateShape.tsx'
import { statuses } from '../../ui/status.ts'
import { disconnectWords } from '../session-words.ts'

/** How cutting a session went, or goes: it changes in place as the gateway answers, and is read out. */
export function DisconnectLine({ outcome }: { outcome: DisconnectOutcome }) {
  const { is, words } = disconnectWords(outcome)
  const { shape, tone } = statuses[is]
  return (
    <span role="status" className="inline-flex items-start gap-1.5">
      <StateShape shape={shape} tone={tone} className="mt-1" />
      <span className="text-pretty">{words}</span>
    </span>
  )
}
