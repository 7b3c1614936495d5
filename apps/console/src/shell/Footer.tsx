import { Link } from 'react-router'

export function Footer() {
  return (
    <footer className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-4 text-xs text-fg-3 side:px-6">
      <Link to="/privacy" className="hover:text-fg hover:underline">
        Privacy Policy
      </Link>
      <Link to="/terms" className="hover:text-fg hover:underline">
        Terms of Use
      </Link>
      <span className="ml-auto">© {new Date().getFullYear()} Masthead</span>
    </footer>
  )
}
