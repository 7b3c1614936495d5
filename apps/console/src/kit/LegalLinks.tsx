import { Link } from 'react-router'
import { settings } from '../api/settings.ts'

const look = 'hover:text-fg hover:underline'

/** Privacy Policy and Terms of Use: the addresses of the installation where it has its own, else our plain pages. */
export const LegalLinks = () =>
  [['privacy', 'Privacy Policy'] as const, ['terms', 'Terms of Use'] as const].map(([name, words]) => {
    const elsewhere = settings.links?.[name]
    return elsewhere ? (
      <a key={name} href={elsewhere} rel="noopener" className={look}>
        {words}
      </a>
    ) : (
      <Link key={name} to={`/${name}`} className={look}>
        {words}
      </Link>
    )
  })
