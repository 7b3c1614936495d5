import { apiRoot } from '../api/client.ts'
import { settings } from '../api/settings.ts'
import { LinkButton } from '../ui/LinkButton.tsx'

/** The way to the identity provider and back to `to`; nothing where the installation has none. */
export function ProviderButton({ to }: { to: string }) {
  if (!settings.identity) return null
  return (
    <div className="grid gap-4">
      <LinkButton href={`${apiRoot}/auth/identity/start?redirect=${encodeURIComponent(to)}`} size="large">
        Continue with {settings.identity.name}
      </LinkButton>
      <div className="flex items-center gap-3 text-xs text-fg-3" aria-hidden>
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
    </div>
  )
}
