import { useQuery } from '@tanstack/react-query'
import { requestPasswordReset } from '@masthead/contract/account/security-operations'
import { getSetup } from '@masthead/contract/auth/sign-in-operations'
import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Notice } from '../ui/Notice.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { FormBody } from './FormBody.tsx'

/** Has a link to set a new password mailed. It says the same whoever's address it is. */
export default function ForgotPasswordScreen() {
  const demo = useQuery(q(getSetup, {})).data?.demo
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, submit, failure, submitting } = useOperationForm(requestPasswordReset, {
    values: { email: '' },
    onDone: (_, { email }) => setSentTo(email),
  })
  return (
    <AuthFrame title="Forgot your password?" words="Enter your e-mail address. We mail you a link to set a new password.">
      {sentTo === null ? (
        <FormProvider {...form}>
          <FormBody failure={failure} onSubmit={(event) => void submit(event)} submit="Send the link" submitting={submitting}>
            <FormText name="email" type="email" label="E-mail" size="large" autoComplete="username" autoFocus />
          </FormBody>
        </FormProvider>
      ) : (
        <Notice tone="ok">
          If there is an account with <b className="font-medium wrap-anywhere">{sentTo.trim().toLowerCase()}</b>, a link is on its way. It
          works once, for one hour.
          {demo && (
            <>
              {' '}
              <Link className="link" to="/mail">
                Open the demo’s mailbox
              </Link>
            </>
          )}
        </Notice>
      )}
      <p>
        <Link className="link" to="/login">
          Back to the sign-in
        </Link>
      </p>
    </AuthFrame>
  )
}
