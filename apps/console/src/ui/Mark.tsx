/** The mark: a mast with its light on. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      aria-hidden
      className="flex-none"
    >
      <path d="M10 8.2v10.3M6 18.5h8M6.9 13.4h6.2" />
      <path d="M5.1 8.6a5.9 5.9 0 0 1 0-6.6M14.9 8.6a5.9 5.9 0 0 0 0-6.6" />
      <circle cx="10" cy="5.3" r="2.5" fill="var(--accent)" stroke="none" />
    </svg>
  )
}
