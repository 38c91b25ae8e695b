/** Which element shows a place. Pages that are not needed at first are loaded when they are. */
import { html, type TemplateResult } from 'lit';
import { under } from '../../base.ts';
import type { Place } from '../base/address.ts';
import type { AppContext } from '../base/context.ts';
import '../pages/tables_page.ts';

const loading: Partial<Record<Place['page'], () => Promise<unknown>>> = {
  table: () => import('../pages/table_page.ts'),
  trash: () => import('../pages/trash_page.ts'),
  query: () => import('../pages/query_page.ts'),
  import: () => import('../pages/import_page.ts'),
  receipts: () => import('../pages/receipts_page.ts'),
  receipt: () => import('../pages/receipt_page.ts'),
  shares: () => import('../pages/shares_page.ts'),
  agents: () => import('../pages/agents_page.ts'),
  storage: () => import('../pages/storage_page.ts'),
};

/** Resolves when the element that shows the place is there. */
export async function ready(place: Place): Promise<void> {
  await loading[place.page]?.();
}

export function pageOf(place: Place, context: AppContext): TemplateResult {
  switch (place.page) {
    case 'tables':
      return html`<st-tables-page .context=${context} .place=${place}></st-tables-page>`;
    case 'table':
      return html`<st-table-page .context=${context} .place=${place}></st-table-page>`;
    case 'trash':
      return html`<st-trash-page .context=${context} .place=${place}></st-trash-page>`;
    case 'query':
      return html`<st-query-page .context=${context} .place=${place}></st-query-page>`;
    case 'import':
      return html`<st-import-page .context=${context} .place=${place}></st-import-page>`;
    case 'receipts':
      return html`<st-receipts-page .context=${context} .place=${place}></st-receipts-page>`;
    case 'receipt':
      return html`<st-receipt-page .context=${context} .place=${place}></st-receipt-page>`;
    case 'shares':
      return html`<st-shares-page .context=${context} .place=${place}></st-shares-page>`;
    case 'agents':
      return html`<st-agents-page .context=${context} .place=${place}></st-agents-page>`;
    case 'storage':
      return html`<st-storage-page .context=${context} .place=${place}></st-storage-page>`;
    case 'nowhere':
      return html`<div class="page">
        <h1>Nothing is here</h1>
        <p>There is no page at this address. <a href=${under('')}>All tables</a></p>
      </div>`;
  }
}
