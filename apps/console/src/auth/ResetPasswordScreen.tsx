import { checkPasswordLink, resetPassword } from '@masthead/contract/account/security-operations'
import { passwordLength } from '@masthead/contract/auth/password'
import { useEffect, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { useOperation } from '../api/query.ts'
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
  const { mutate: check, error: checked } = useOperation(checkPasswordLink)
  // Before somebody thinks of a password. Where it cannot be asked, setting one says it.
  useEffect(() => {
    if (token !== '') check({ body: { token } })
  }, [check, token])
  const stale = !done && (token === '' || [failure, checked].some((failed) => failed?.code === 'link_expired'))
  return (
    <AuthFrame
      title="Set a new password"
      words={
        stale
          ? 'Nothing was changed. A link works once, for one hour.'
          : 'Setting it signs you out everywhere. Then sign in with the new one.'
      }
    >
      {done && <Notice tone="ok">Your new password is set. All sessions are signed out.</Notice>}
      {stale && (
        <Notice tone="bad">
          {token === '' ? 'This link is incomplete. Open it from the e-mail again.' : 'This link has been used or has expired.'}
        </Notice>
      )}
      {!done && !stale && (
        <FormProvider {...form}>
          <FormBody failure={failure} onSubmit={(event) => void submit(event)} submit="Set the password" submitting={submitting}>
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
