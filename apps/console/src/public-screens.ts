import type { Screen } from './screen.ts'

/** Seen without signing in. */
export const publicScreens: Screen[] = [
  { path: '/login', title: 'Sign in', subtitle: '', public: true, bare: true, load: () => import('./auth/LoginScreen.tsx') },
  {
    path: '/forgot-password',
    title: 'Forgot your password?',
    subtitle: '',
    public: true,
    bare: true,
    load: () => import('./auth/ForgotPasswordScreen.tsx'),
  },
  {
    path: '/reset-password',
    title: 'Set a new password',
    subtitle: '',
    public: true,
    bare: true,
    load: () => import('./auth/ResetPasswordScreen.tsx'),
  },
  {
    path: '/confirm-email',
    title: 'Confirm your e-mail address',
    subtitle: '',
    public: true,
    bare: true,
    load: () => import('./auth/ConfirmEmailScreen.tsx'),
  },
  { path: '/docs', title: 'API', subtitle: '', public: true, bare: true, load: () => import('./developers/ApiDocsScreen.tsx') },
  { path: '/privacy', title: 'Privacy Policy', subtitle: '', public: true, bare: true, load: () => import('./shell/PrivacyScreen.tsx') },
  { path: '/terms', title: 'Terms of Use', subtitle: '', public: true, bare: true, load: () => import('./shell/TermsScreen.tsx') },
]
