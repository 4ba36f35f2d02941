import type { Scope } from '../../src/auth/scope.js';
import type { AppStatus } from '../support/actors.js';
import type { Input } from '../support/api-client.js';

/** A value that the service generates: the current time, a new id or key. Taken from its response. */
export const now = '<now>';
export const fresh = '<fresh>';
export const inDays = (days: number) => `<in ${days} days>`;

export interface Developer {
  id: string;
  accountUserId: string;
  name: string;
  email: string;
  emailProven: boolean;
  emailLost: boolean;
  companyName: string | null;
  websiteUrl: string | null;
  bio: string | null;
  status: 'UNVERIFIED' | 'VERIFIED' | 'SUSPENDED';
  verifiedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface Key {
  id: string;
  key: string;
  name: string;
  scopes: Scope[];
  /** Its lifetime when it was made; a child has no more than its parent. */
  days: number;
  revokedAt: string | null;
  expiresAt: string;
  createdAt: string;
}

export interface Screenshot {
  url: string;
  caption: string | null;
  order: number;
}

/** The listing that a developer writes. */
export interface Listing {
  name: string;
  description: string;
  category: string;
  longDescription: string | null;
  logoUrl: string | null;
  bannerUrl: string | null;
  websiteUrl: string | null;
  oauthClientId: string | null;
  screenshots: Screenshot[];
}

export interface App extends Listing {
  id: string;
  slug: string;
  environment: string;
  status: AppStatus;
  featured: boolean;
  installCount: number;
  reviewCount: number;
  averageRating: number;
  revision: number;
  submittedAt: string | null;
  approvedAt: string | null;
  rejection: { reasons: Input[]; guidance: string; rejectedAt: string } | null;
  createdAt: string;
  updatedAt: string;
}

/** The public form of an app (D17). */
export function publicView(app: App, owner: Developer): Input {
  const { oauthClientId: _, revision, submittedAt, rejection, ...shown } = app;
  const { name, companyName, websiteUrl } = owner;
  return { ...shown, developer: { name, companyName, websiteUrl } };
}

/** A key as it is listed (D11). */
export const keyView = ({ key, days: _, ...record }: Key): Input => ({
  ...record,
  status: record.revokedAt ? 'REVOKED' : 'ACTIVE',
  maskedKey: key === fresh ? fresh : `${key.slice(0, 8)}…${key.slice(-4)}`,
});

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** The input in the form in which it is stored (D20, D22, D23). */
export function normalized(sent: Input): Partial<Listing> {
  const { screenshots, ...fields } = sent;
  const texts = Object.entries(fields).map(([name, value]) => [name, trimmed(value)]);
  const pictures = ((screenshots ?? []) as Partial<Screenshot>[])
    .map(({ url, caption, order }, place) => ({
      url,
      caption: caption?.trim() ?? null,
      order: order ?? place,
    }))
    .sort((a, b) => a.order - b.order);
  return { ...Object.fromEntries(texts), ...(screenshots !== undefined && { screenshots: pictures }) };
}

const reserved = ['featured', 'categories', 'list', 'install'];

/** The first free slug for a name (D21). */
export function slugFor(name: string, taken: string[]): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const base = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'app';
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(slug) && !reserved.includes(slug)) return slug;
  }
}
