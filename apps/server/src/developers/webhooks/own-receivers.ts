/** Addresses of receivers that this very process runs (the demo's): these alone may be on this machine whatever the configuration says. */
export const ownReceivers = new Set<string>()
