import type { Security } from '@masthead/contract/account/security-operations'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { askPasskey, ProviderProof } from '../auth/index.ts'
import { FormPassword, FormText } from '../kit/FormField.tsx'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'

/** The fields with which one proves anew that it is oneself: the password or a passkey, and the code where two-factor authentication is on. */
export function ProofFields({ security, focus = false }: { security: Security; focus?: boolean }) {
  const { passkeys, has_password, authenticator, provider_proof } = security
  const { watch } = useFormContext<{ passkey?: string }>()
  const proved = Boolean(watch('passkey'))
  return (
    <>
      {has_password && !proved && <FormPassword name="password" label="Your password" autoComplete="current-password" autoFocus={focus} />}
      {passkeys.length > 0 && <ByPasskey only={!has_password} />}
      {provider_proof && !proved && <ProviderProof proof={provider_proof} />}
      {!has_password && passkeys.length === 0 && !provider_proof && (
        <Notice tone="info">You have no password yet. To set one, sign out and choose “Forgot your password?”: we mail you a link.</Notice>
      )}
      {authenticator && (
        <FormText
          name="code"
          label="Code from your authenticator app"
          mono
          autoComplete="one-time-code"
          hint="Or one of your recovery codes"
          maxLength={40}
        />
      )}
    </>
  )
}

/** What a form with these fields begins with. */
export const noProof = { password: '', code: '' }

function ByPasskey({ only }: { only: boolean }) {
  const { watch, setValue } = useFormContext<{ passkey?: string }>()
  const [failure, setFailure] = useState<Said | null>(null)
  const proved = Boolean(watch('passkey'))
  const ask = async () => {
    const result = await askPasskey('proof')
    setFailure(result.ok ? null : result.failure)
    if (result.ok) setValue('passkey', result.answer)
  }
  if (proved)
    return (
      <Notice
        tone="ok"
        action={
          <button type="button" className="link" onClick={() => setValue('passkey', undefined)}>
            Undo
          </button>
        }
      >
        Verified with a passkey.
      </Notice>
    )
  return (
    <div className="grid gap-2">
      {failure && <FailureNotice of={failure} />}
      <div>
        <Button size="small" icon={KeyRound} onClick={() => void ask()}>
          {only ? 'Verify with a passkey' : 'Use a passkey instead'}
        </Button>
      </div>
    </div>
  )
}
