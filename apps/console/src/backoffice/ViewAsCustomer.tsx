import { viewAccount, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { useRef, useState } from 'react'
import { call, type Failure } from '../api/client.ts'
import { queries } from '../api/query.ts'
import { setBackofficeToken, standing } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Modal } from '../ui/Modal.tsx'
import { TextField } from '../ui/TextField.tsx'

/**
 * Asks why, then starts the console anew on the customer's account. Not by useOperation: what is shown of the backoffice may not be asked for
 * again, since the session is out of it with the answer.
 */
export function ViewAsCustomer({ customer: { email, team_name }, onClose }: { customer: CustomerDetails; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [loading, setLoading] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const view = async () => {
    setLoading(true)
    standing.moving = true
    const answer = await call(viewAccount, { params: { email }, body: { reason } })
    if (!answer.ok) {
      standing.moving = false
      setLoading(false)
      setFailure(answer.failure)
      return field.current?.focus()
    }
    queries.clear()
    setBackofficeToken(null)
    // Not through the router: what it shows until then asks for what staff alone may see, and is led elsewhere.
    history.pushState(null, '', location.hash.startsWith('#/') ? '#/' : '/')
    location.reload()
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={`View the console of ${team_name}?`}
      loading={loading}
      footer={
        <>
          <Button onClick={onClose} disabled={loading}>
            Cancel
          </Button>
          <Button color="primary-solid" loading={loading} onClick={() => void view()}>
            View as customer
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void view()
        }}
      >
        <p className="text-fg-2 text-pretty">
          You see what its owner sees, in all tabs of this browser, for 30 minutes or until you stop. You cannot change anything. This ends
          your backoffice session.
        </p>
        <TextField
          label="Reason"
          hint="The customer sees it in their activities."
          ref={field}
          value={reason}
          error={failure?.fields?.reason}
          onChange={({ target }) => {
            setFailure(null)
            setReason(target.value)
          }}
        />
        {failure && !failure.fields?.reason && <FailureNotice of={failure} />}
      </form>
    </Modal>
  )
}
