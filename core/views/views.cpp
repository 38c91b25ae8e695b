#include "views/view.hpp"

namespace stele {

const std::vector<View>& all_views() {
  static const std::vector<View> views = {read_rows_view(),     diff_versions_view(), run_again_view(),
                                          list_receipts_view(), list_shares_view(),   list_trash_view(),
                                          workspace_view()};
  return views;
}

}  // namespace stele
