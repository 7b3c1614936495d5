import { resetPassword } from '@masthead/contract/account/security-operations'
import { passwordLength } from '@masthead/contract/auth/password'
import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { FormPassword } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Notice } from '../ui/Notice.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { FormBody } from './FormBody.tsx'

/** Sets a new password by a mailed link. */
export default function ResetPasswordScreen() {
  const [params] = useSearchParams()
  const [done, setDone] = useState(false)
  const token = params.get('token') ?? ''
  const { form, submit, failure, submitting } = useOperationForm(resetPassword, {
    values: { token, password: '' },
    onDone: () => setDone(true),
  })
  const stale = token === '' || failure?.code === 'link_expired'
  return (
    <AuthFrame
      title="Set a new password"
      words={
        stale
          ? 'Nothing was changed. A link works once, and for an hour.'
          : 'You are signed out everywhere when it is set, and sign in with the new one.'
      }
    >
      {done && <Notice tone="ok">Your new password is set. Every session was signed out.</Notice>}
      {stale && (
        <Notice tone="bad">
          {token === '' ? 'This link is not whole. Open it from the mail again.' : 'This link was used already or its time is over.'}
        </Notice>
      )}
      {!done && !stale && (
        <FormProvider {...form}>
          <FormBody
            failure={failure?.detail ?? null}
            onSubmit={(event) => void submit(event)}
            submit="Set the password"
            submitting={submitting}
          >
            <FormPassword
              name="password"
              label="New password"
              size="large"
              autoComplete="new-password"
              autoFocus
              hint={`At least ${passwordLength.min} characters. A few words are easy to remember and hard to guess.`}
            />
          </FormBody>
        </FormProvider>
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        {stale && (
          <Link className="link" to="/forgot-password">
            Ask for a new link
          </Link>
        )}
        <Link className="link" to="/login">
          Go to the sign-in
        </Link>
      </p>
    </AuthFrame>
  )
}
