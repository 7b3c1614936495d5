import { LegalLinks } from '../kit/LegalLinks.tsx'

export function Footer() {
  return (
    <footer className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-4 text-xs text-fg-3 side:px-6">
      <LegalLinks />
      <span className="ml-auto">© {new Date().getFullYear()} Masthead</span>
    </footer>
  )
}
