import type { Input, Reply } from '@masthead/contract/kernel/operation'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { acknowledgeAlerts, listAlerts } from '@masthead/contract/notifications/operations'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { toast } from '../ui/toast.ts'
import { acknowledgedWords } from './alert-columns.tsx'

type Matching = NonNullable<NonNullable<Input<typeof acknowledgeAlerts>['body']>['matching']>

const named = 5

/** Acknowledges the open alerts of the list as it is filtered, and no more than the question counts: what comes while one reads stays open. */
export function AcknowledgeAll({ matching, disabled }: { matching: Matching; disabled: string | null }) {
  const [asking, setAsking] = useState(false)
  const [found, setFound] = useState<Reply<typeof listAlerts> | null>(null)
  const ask = async () => {
    setAsking(true)
    const result = await call(listAlerts, { query: { ...matching, state: ['open'], sort: 'urgency', page_size: named } })
    setAsking(false)
    if (!result.ok) toast.failure(result.failure)
    else if (result.data.total === 0) toast.info('None of them is open.')
    else setFound(result.data)
  }
  const count = found && `${found.total.toLocaleString('en')}${found.total_capped ? '+' : ''}`
  return (
    <>
      <ActionButton operation={acknowledgeAlerts} disabled={disabled} icon={Check} loading={asking} onClick={() => void ask()}>
        Acknowledge all
      </ActionButton>
      {found && (
        <ConfirmCall
          operation={acknowledgeAlerts}
          input={{ body: { matching, until: found.at } }}
          title={found.total === 1 ? 'Acknowledge 1 open alert?' : `Acknowledge ${count} open alerts?`}
          confirm="Acknowledge all"
          onClose={() => setFound(null)}
          onDone={({ acknowledged }) => toast.success(acknowledgedWords(acknowledged))}
        >
          <ul className="list-disc pl-5">
            {found.items.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
            {found.total > found.items.length && <li>and {(found.total - found.items.length).toLocaleString('en')} more</li>}
          </ul>
          <p>
            Everybody on the account sees that you are dealing with them. An alert stays in the list until its cause ends. What comes after{' '}
            {formatExactHere(found.at)} stays open.
          </p>
        </ConfirmCall>
      )}
    </>
  )
}
