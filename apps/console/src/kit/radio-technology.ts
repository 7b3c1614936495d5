/** Radio access technologies as 3GPP names them, and as people do. */
const technologies: Record<string, string> = {
  EUTRAN: 'LTE',
  'E-UTRAN': 'LTE',
  NR: '5G',
  UTRAN: '3G',
  GERAN: '2G',
  'HSPA+': '3G',
  UMTS: '3G',
  GSM: '2G',
  '5GNR': '5G',
  WLAN: 'Wi-Fi',
}

/** What people call a radio access technology ("5G" for NR); null for unknown. */
export const ratWords = (rat: string | null): string | null => (rat === null ? null : (technologies[rat] ?? rat))
