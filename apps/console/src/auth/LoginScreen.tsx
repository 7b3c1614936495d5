import { useQuery } from '@tanstack/react-query'
import { getSetup, login, register } from '@masthead/contract/auth/operations'
import { passwordLength } from '@masthead/contract/auth/password'
import { useCallback, useEffect, type ReactNode } from 'react'
import { FormProvider } from 'react-hook-form'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { fetchUser, useSession } from '../api/session.ts'
import { FormPassword, FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { safeRedirect } from '../api/redirect.ts'
import { Button } from '../ui/Button.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ProviderButton } from './ProviderButton.tsx'
import { useProviderReturn } from './use-provider-return.ts'

/** Signing in, opening an account, and setting up an installation that has none. */
export default function LoginScreen() {
  const [params] = useSearchParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const { data: setup, error, refetch } = useQuery({ ...q(getSetup, {}), staleTime: 0 })
  const mode = setup?.first_run ? 'setup' : params.get('mode') === 'register' && setup?.registration !== false ? 'register' : 'login'
  const words = { setup: 'Set up Masthead', register: 'Open an account', login: 'Sign in' }[mode]
  useEffect(() => {
    document.title = `${words} · Masthead`
  }, [words])
  const to = safeRedirect(params.get('redirect'))
  // A 200 is success; then it is asked who that is (spec §7).
  const goOn = useCallback(async () => {
    if (await fetchUser()) await navigate(to, { replace: true })
  }, [navigate, to])
  const provider = useProviderReturn(goOn)
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
  return (
    <div className="login">
      <main className="grid w-full max-w-90 gap-6">
        <div className="flex items-center gap-2.5 text-lg font-semibold tracking-[-0.02em]">
          <Mark size={24} />
          Masthead
        </div>
        <div>
          <h1 className="tight text-xl font-semibold">{words}</h1>
          <p className="mt-1 text-md text-fg-2 text-pretty">
            {mode === 'setup' &&
              'There is no account here yet. Open the first one: it owns its SIMs, and it is also staff, with access to the backoffice.'}
            {mode === 'register' && 'For your company or team. You can invite others to it later.'}
            {mode === 'login' && 'Your SIMs, their usage and the state of their service.'}
          </p>
        </div>
        {error && (
          <Notice
            tone="bad"
            action={
              // Who is signed in was perhaps not answered either.
              <button type="button" className="link" onClick={() => void refetch().then(goOn)}>
                Try again
              </button>
            }
          >
            {error.detail}
          </Notice>
        )}
        {provider.words && <Notice tone="bad">{provider.words}</Notice>}
        {provider.signingIn && <Notice tone="info">Signing you in…</Notice>}
        <ProviderButton to={to} />
        {mode === 'login' ? (
          <LoginForm key="login" demo={setup?.demo?.password} onDone={goOn} />
        ) : (
          <RegisterForm key="register" first={mode === 'setup'} onDone={goOn} />
        )}
        {mode !== 'setup' && setup?.registration && (
          <p className="text-fg-2">
            {mode === 'login' ? 'New here?' : 'You have one already?'}{' '}
            <Link className="link" to={`/login?${other}`} replace>
              {mode === 'login' ? 'Open an account' : 'Sign in'}
            </Link>
          </p>
        )}
      </main>
      <footer className="flex gap-4 text-xs text-fg-3">
        <Link to="/privacy" className="hover:text-fg hover:underline">
          Privacy Policy
        </Link>
        <Link to="/terms" className="hover:text-fg hover:underline">
          Terms of Use
        </Link>
        <span>© {new Date().getFullYear()} Masthead</span>
      </footer>
    </div>
  )
}

function FormBody({
  failure,
  onSubmit,
  children,
  submit,
  submitting,
}: {
  failure: string | null
  onSubmit: (event: React.FormEvent) => void
  children: ReactNode
  submit: string
  submitting: boolean
}) {
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      {failure && <Notice tone="bad">{failure}</Notice>}
      {children}
      <Button type="submit" color="primary-solid" size="large" loading={submitting}>
        {submit}
      </Button>
    </form>
  )
}

function LoginForm({ demo, onDone }: { demo: string | undefined; onDone: () => Promise<void> }) {
  const { form, submit, failure, submitting } = useOperationForm(login, { values: { email: '', password: '' }, onDone })
  const { data: setup } = useQuery(q(getSetup, {}))
  return (
    <FormProvider {...form}>
      <FormBody failure={failure?.detail ?? null} onSubmit={(event) => void submit(event)} submit="Sign in" submitting={submitting}>
        <FormText name="email" type="email" label="E-mail" size="large" autoComplete="username" autoFocus />
        <FormPassword name="password" label="Password" size="large" autoComplete="current-password" />
      </FormBody>
      {demo !== undefined && setup?.demo && (
        <section className="rounded-lg border border-line">
          <div className="border-b border-line bg-chrome px-3 py-2 text-xs text-fg-2">
            This is the demo. The password of everybody is <span className="mono font-medium text-fg">{demo}</span>.{' '}
            <Link className="link" to="/mail">
              Read its mail
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
  const { form, submit, failure, submitting } = useOperationForm(register, { values: { email: '', password: '', team_name: '' }, onDone })
  const taken = failure?.code === 'email_taken'
  return (
    <FormProvider {...form}>
      <FormBody
        failure={taken ? `${failure.detail}. Sign in with it, or use another.` : (failure?.detail ?? null)}
        onSubmit={(event) => void submit(event)}
        submit={first ? 'Open the first account' : 'Open the account'}
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
