import { useQuery } from '@tanstack/react-query'
import { getSecurity } from '@masthead/contract/account/security-operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { q } from '../api/query.ts'
import { setBackofficeToken } from '../api/session.ts'
import { FormPassword, FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { askPasskey, ProviderProof } from '../auth/index.ts'

/** What was said on entering: the likeliest reason to stay longer. Gone with the page. */
let lastReason = ''

/** Staff prove anew who they are, say why, and get into the backoffice or stay longer. */
export function EnterForm({ submit, onDone }: { submit: string; onDone: () => void }) {
  const { data: security } = useQuery(q(getSecurity, {}))
  const [refused, setRefused] = useState<Said | null>(null)
  const done = ({ token }: { token: string }, reason: string) => {
    lastReason = reason
    setBackofficeToken(token)
    onDone()
  }
  const {
    form,
    submit: send,
    failure,
    submitting,
  } = useOperationForm(enterBackoffice, {
    values: { password: '', code: '', reason: lastReason },
    input: ({ password, passkey, code, reason }) => ({
      body: { reason, ...(passkey ? { passkey } : { password: password ?? '' }), ...(code && { code }) },
    }),
    onDone: (reply, { reason }) => done(reply, reason),
  })
  const byPasskey = async () => {
    setRefused(null)
    form.clearErrors('password')
    const asked = await askPasskey('proof')
    if (!asked.ok) return setRefused(asked.failure)
    form.setValue('passkey', asked.answer)
    await send()
    // It is good for once.
    form.setValue('passkey', undefined)
  }
  const said = failure ?? refused
  const hasPasskey = (security?.passkeys.length ?? 0) > 0
  const demands = security?.staff_second_factor === true && !security.authenticator
  if (demands && !hasPasskey) return <FactorNeeded />
  // A password is one factor: with a passkey alone, the passkey it is.
  const byPassword = security?.has_password !== false && !demands
  const byForm = byPassword || !hasPasskey || (security?.provider_proof?.until ?? null) !== null
  return (
    <FormProvider {...form}>
      <form className="grid gap-4" noValidate onSubmit={(event) => void send(event)}>
        <FormText
          name="reason"
          label="Reason"
          placeholder="Ticket number or purpose"
          hint="It is logged, and customers see it where it concerns them."
          autoFocus
        />
        {byPassword && <FormPassword name="password" label="Your password" autoComplete="current-password" />}
        {security?.provider_proof && !demands && <ProviderProof proof={security.provider_proof} />}
        {security?.authenticator && (
          <FormText name="code" label="Code from your authenticator app" inputMode="numeric" autoComplete="one-time-code" mono />
        )}
        {said && <FailureNotice of={said} />}
        <div className="flex flex-wrap gap-2">
          {byForm && (
            <Button type="submit" color="primary-solid" loading={submitting}>
              {submit}
            </Button>
          )}
          {hasPasskey && (
            <Button icon={KeyRound} color={byForm ? 'secondary' : 'primary-solid'} disabled={submitting} onClick={() => void byPasskey()}>
              Use a passkey
            </Button>
          )}
        </div>
      </form>
    </FormProvider>
  )
}

/** Staff without a second factor are led to where they set one up, and from there back. */
function FactorNeeded() {
  const { pathname, search } = useLocation()
  return (
    <div className="grid gap-4">
      <Notice tone="warn">Staff need a second factor here, and you have none yet.</Notice>
      <p className="text-fg-2 text-pretty">
        Set up an authenticator app on your phone, or a passkey, on your profile. It takes a minute. Then you come back here.
      </p>
      <div>
        <Link className={buttonClass('primary-solid')} to={`/profile?back=${encodeURIComponent(pathname + search)}`}>
          Set up a second factor
        </Link>
      </div>
    </div>
  )
}
