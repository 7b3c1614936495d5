import { useQuery } from '@tanstack/react-query'
import { getSecondStep, passSecondStep } from '@masthead/contract/auth/step-operations'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { q } from '../api/query.ts'
import { FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'
import { FormBody } from './FormBody.tsx'
import { passByPasskey } from './passkey-sign-in.ts'

/** The second step of a sign-in: a code of the authenticator app, a recovery code or a passkey. */
export function SecondStep({ onDone, onAgain }: { onDone: () => Promise<void>; onAgain: () => void }) {
  const { data } = useQuery({ ...q(getSecondStep, {}), staleTime: 0, gcTime: 0 })
  const [way, setWay] = useState<'code' | 'recovery_code'>('code')
  const methods = data?.methods ?? []
  return (
    <div className="grid gap-4">
      <p className="text-fg-2 text-pretty">
        {way === 'code'
          ? 'Your password is correct. Now enter the code from your authenticator app.'
          : 'Enter one of your recovery codes. Each works once.'}
      </p>
      <CodeForm key={way} way={way} onDone={onDone} />
      {methods.includes('passkey') && <PasskeyStep onDone={onDone} />}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-fg-2">
        {methods.includes('recovery_code') && (
          <button type="button" className="link" onClick={() => setWay(way === 'code' ? 'recovery_code' : 'code')}>
            {way === 'code' ? 'Use a recovery code' : 'Use the authenticator app'}
          </button>
        )}
        <button type="button" className="link" onClick={onAgain}>
          Start again
        </button>
      </p>
    </div>
  )
}

function CodeForm({ way, onDone }: { way: 'code' | 'recovery_code'; onDone: () => Promise<void> }) {
  const { form, submit, failure, submitting } = useOperationForm(passSecondStep, { values: { code: '' }, onDone })
  return (
    <FormProvider {...form}>
      <FormBody failure={failure} onSubmit={(event) => void submit(event)} submit="Sign in" submitting={submitting}>
        {way === 'code' ? (
          <FormText name="code" label="Code" size="large" mono inputMode="numeric" autoComplete="one-time-code" maxLength={12} autoFocus />
        ) : (
          <FormText name="code" label="Recovery code" size="large" mono autoCapitalize="off" spellCheck={false} autoFocus />
        )}
      </FormBody>
    </FormProvider>
  )
}

function PasskeyStep({ onDone }: { onDone: () => Promise<void> }) {
  const [state, setState] = useState<{ busy: boolean; failure: Said | null }>({ busy: false, failure: null })
  const pass = async () => {
    setState({ busy: true, failure: null })
    const failure = await passByPasskey()
    if (failure === null) await onDone()
    setState({ busy: false, failure })
  }
  return (
    <>
      {state.failure && <FailureNotice of={state.failure} />}
      <Button size="large" icon={KeyRound} loading={state.busy} onClick={() => void pass()}>
        Use a passkey
      </Button>
    </>
  )
}
