import { addPasskey, startPasskey, type Security } from '@masthead/contract/account/security-operations'
import { useState } from 'react'
import { makePasskey } from '../auth/index.ts'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'
import { plain, toast } from '../ui/toast.ts'
import { noProof, ProofFields } from './ProofFields.tsx'

/** Adding a passkey: who one is, the browser's own question, a name to know it by. */
export function AddPasskey({ security, onClose }: { security: Security; onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null)
  const [failure, setFailure] = useState<Said | null>(null)
  if (made !== null)
    return (
      <FormModal
        key="name"
        open
        onClose={onClose}
        title="Name your passkey"
        operation={addPasskey}
        values={{ name: nameOfDevice(), passkey: made }}
        submit="Add passkey"
        onDone={({ name }) => toast.success(`${plain(name)} can sign you in now`)}
      >
        <FormText name="name" label="Name" hint="So that you can tell your passkeys apart" autoFocus />
      </FormModal>
    )
  return (
    <FormModal
      key="proof"
      open
      onClose={onClose}
      stays
      title="Add a passkey"
      operation={startPasskey}
      values={noProof}
      submit="Continue"
      onDone={async (options) => {
        const result = await makePasskey(options)
        setFailure(result.ok ? null : result.failure)
        if (result.ok) setMade(result.answer)
      }}
    >
      <p className="text-fg-2">Confirm your identity first. Then your browser asks where to save the passkey.</p>
      {failure && <FailureNotice of={failure} />}
      <ProofFields security={security} focus />
    </FormModal>
  )
}

/** A first name for it: what one sits at. */
function nameOfDevice(): string {
  const found = /iPhone|iPad|Android|Windows|Mac OS X|CrOS|Linux/.exec(navigator.userAgent)?.[0]
  return found ? `Passkey on ${found.replace('Mac OS X', 'macOS').replace('CrOS', 'ChromeOS')}` : 'Passkey'
}
