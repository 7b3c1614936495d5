import { useQuery } from '@tanstack/react-query'
import { getSetup, login, register } from '@masthead/contract/auth/sign-in-operations'
import { passwordLength } from '@masthead/contract/auth/password'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { apiRoot } from '../api/client.ts'
import { q } from '../api/query.ts'
import { fetchUser, useSession } from '../api/session.ts'
import { FormPassword, FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { safeRedirect } from '../api/redirect.ts'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { firstScreen } from './first-screen.ts'
import { FormBody } from './FormBody.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { ProviderButton } from './ProviderButton.tsx'
import { useProviderReturn } from './use-provider-return.ts'

const apiHost = new URL(apiRoot, location.origin).host

/** Where the links of an invitation's mail lead to. */
const invitations = '/notifications?tab=invitations'

/** Signing in, opening an account, and setting up an installation that has none. */
export default function LoginScreen() {
  const [params] = useSearchParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const { data: setup, error, refetch, isPending, failureCount } = useQuery({ ...q(getSetup, {}), staleTime: 0 })
  const mode = setup?.first_run ? 'setup' : params.get('mode') === 'register' && setup?.registration !== false ? 'register' : 'login'
  const words = { setup: 'Set up Masthead', register: 'Create an account', login: 'Sign in' }[mode]
  const to = safeRedirect(params.get('redirect'))
  // A 200 is success; then it is asked who that is (spec §7).
  const goOn = useCallback(async () => {
    const user = await fetchUser()
    if (user) await navigate(to === '/' ? await firstScreen(user) : to, { replace: true })
  }, [navigate, to])
  const [unkept, setUnkept] = useState(false)
  // Who has just signed in and is nobody to the next call has a browser that sends no cookie.
  const signedIn = useCallback(async () => {
    setUnkept(false)
    await goOn()
    const { status, unknown } = useSession.getState()
    setUnkept(status === 'error' && unknown === null)
  }, [goOn])
  const provider = useProviderReturn(signedIn)
  const ended = useSession((session) => session.ended)
  const unknown = useSession((session) => session.unknown)
  const trouble = error ?? (unknown ? { detail: `It could not be found out whether you are signed in. ${unknown}` } : null)
  useEffect(() => {
    // Whom a token is about comes before who was signed in here until now.
    if (provider.given) return
    // Who is signed in already has nothing to do here; when nobody asked yet, it is asked now.
    const { status } = useSession.getState()
    if (status === 'success' || status === 'idle') void goOn()
  }, [goOn, provider.given])
  const other = new URLSearchParams(search)
  if (mode === 'register') other.delete('mode')
  else other.set('mode', 'register')
  // What stands here depends on the installation: shown at once and whole, nothing moves. Once shown it stays, whatever fails.
  const [shown, setShown] = useState(false)
  if (!shown && (!isPending || failureCount > 0)) setShown(true)
  if (!shown) return null
  return (
    <AuthFrame
      title={words}
      words={
        {
          setup: 'There is no account here yet. Create the first one: it owns its SIMs and is also staff, with access to the backoffice.',
          register: 'For your company or team. You can invite others to it later.',
          login: 'Your SIMs, their usage and their service.',
        }[mode]
      }
    >
      {trouble && (
        <FailureNotice
          of={trouble}
          action={
            // Who is signed in was perhaps not answered either.
            <button type="button" className="link" onClick={() => void refetch().then(goOn)}>
              Try again
            </button>
          }
        />
      )}
      {unkept && (
        <Notice tone="bad">
          You are signed in, but your browser did not keep the session. Allow cookies for {apiHost}, then sign in again.
        </Notice>
      )}
      {ended && !provider.given && mode === 'login' && (
        <Notice tone="info">
          You are signed out because your session was ended elsewhere or has expired. Sign in to continue where you were.
        </Notice>
      )}
      {mode !== 'setup' && to.startsWith(invitations) && (
        <Notice tone="info">
          To answer an invitation to a team, {mode === 'login' ? 'sign in' : 'create an account'} with the address it was sent to.
        </Notice>
      )}
      {provider.failure && <FailureNotice of={provider.failure} />}
      {provider.signingIn && <Notice tone="info">Signing you in…</Notice>}
      <ProviderButton to={to} />
      {mode === 'login' ? (
        <SignIn key="login" demo={setup?.demo?.password} onDone={signedIn} />
      ) : (
        <RegisterForm key="register" first={mode === 'setup'} onDone={signedIn} />
      )}
      {mode !== 'setup' && setup?.registration && (
        <p className="text-fg-2">
          {mode === 'login' ? 'New here?' : 'Already have an account?'}{' '}
          <Link className="link" to={`/login?${other}`} replace>
            {mode === 'login' ? 'Create an account' : 'Sign in'}
          </Link>
        </p>
      )}
    </AuthFrame>
  )
}

const SecondStep = lazy(() => import('./SecondStep.tsx').then((file) => ({ default: file.SecondStep })))

type SignInProps = { demo: string | undefined; onDone: () => Promise<void> }

/** E-mail and password, and where it is asked for the second step. */
function SignIn({ demo, onDone }: SignInProps) {
  const [step, setStep] = useState(false)
  if (!step) return <LoginForm demo={demo} onDone={onDone} onStep={() => setStep(true)} />
  return (
    <Suspense>
      <SecondStep onDone={onDone} onAgain={() => setStep(false)} />
    </Suspense>
  )
}

/** The address that a link, as of an invitation, is for. */
const useGivenEmail = () => useSearchParams()[0].get('email') ?? ''

function LoginForm({ demo, onDone, onStep }: SignInProps & { onStep: () => void }) {
  const { form, submit, failure, submitting } = useOperationForm(login, { values: { email: useGivenEmail(), password: '' }, onDone })
  const { data: setup } = useQuery(q(getSetup, {}))
  const needsStep = failure?.code === 'second_factor_needed'
  useEffect(() => {
    if (needsStep) onStep()
  }, [needsStep, onStep])
  return (
    <FormProvider {...form}>
      <FormBody failure={needsStep ? null : failure} onSubmit={(event) => void submit(event)} submit="Sign in" submitting={submitting}>
        <FormText name="email" type="email" label="E-mail" size="large" autoComplete="username" autoFocus />
        <FormPassword name="password" label="Password" size="large" autoComplete="current-password" />
      </FormBody>
      <PasskeyButton onDone={onDone} />
      <p>
        <Link className="link" to="/forgot-password">
          Forgot your password?
        </Link>
      </p>
      {demo !== undefined && setup?.demo && (
        <section className="rounded-lg border border-line">
          <div className="border-b border-line bg-chrome px-3 py-2 text-xs text-fg-2">
            This is the demo. The password for every sign-in is <span className="mono font-medium text-fg">{demo}</span>.{' '}
            <Link className="link" to="/mail">
              Open its mailbox
            </Link>
          </div>
          <ul className="p-1">
            {setup.demo.people.map((person) => (
              <li key={person.email}>
                <button
                  type="button"
                  className="option"
                  onClick={() => {
                    form.setValue('email', person.email, { shouldValidate: form.formState.isSubmitted })
                    form.setValue('password', demo, { shouldValidate: form.formState.isSubmitted })
                    form.setFocus('password')
                  }}
                >
                  <span className="grid min-w-0">
                    <span className="truncate font-medium">{person.email}</span>
                    <span className="text-xs text-fg-3">{person.about}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormProvider>
  )
}

function RegisterForm({ first, onDone }: { first: boolean; onDone: () => Promise<void> }) {
  const { form, submit, failure, submitting } = useOperationForm(register, {
    values: { email: useGivenEmail(), password: '', team_name: '' },
    onDone,
  })
  const taken = failure?.code === 'email_taken'
  return (
    <FormProvider {...form}>
      <FormBody
        failure={taken ? { ...failure, detail: `${failure.detail}. Sign in with it, or use another.` } : failure}
        onSubmit={(event) => void submit(event)}
        submit={first ? 'Create the first account' : 'Create account'}
        submitting={submitting}
      >
        <FormText name="team_name" label="Company or team" size="large" autoComplete="organization" autoFocus />
        <FormText name="email" type="email" label="E-mail" size="large" autoComplete="username" />
        <FormPassword
          name="password"
          label="Password"
          size="large"
          autoComplete="new-password"
          hint={`At least ${passwordLength.min} characters. A few words are easy to remember and hard to guess.`}
        />
      </FormBody>
    </FormProvider>
  )
}
